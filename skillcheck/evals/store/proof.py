"""The private proof of a run's public rows: a zip with what the rows were made of, and a manifest of it.

The same run gives the same bytes. What agents said and did is in it: it is for those who check the rows, and no one
else.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

from skillcheck.errors import SkillcheckError
from skillcheck.evals.store import chain
from skillcheck.evals.store.store import DIGESTS, OUTCOME
from skillcheck.evals.workspace import digest
from skillcheck.replace import replacing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from skillcheck.evals.store.chain import Chain
    from skillcheck.evals.store.public import Row
    from skillcheck.evals.store.record import Record
    from skillcheck.evals.store.store import Stored

MANIFEST, ARTIFACTS = "manifest.json", "artifacts"
_DATE = (1980, 1, 1, 0, 0, 0)
"""The first that a zip can hold: when it was written is no part of a proof."""
_MODE = 0o644 << 16


class Manifest(NamedTuple):
    """What manifest.json says.

    `proof_id` is the run's digest; `created_at` tells when its last trial began. Each of `private_proof_refs` names
    the artifact that a row comes from, each of `copied_artifacts` its digest.
    """

    proof_id: str
    created_at: str
    participants: list[dict[str, str]]
    task_set: str | None
    task_set_digest: str | None
    public_rows: list[dict[str, Any]]
    private_proof_refs: list[dict[str, str]]
    copied_artifacts: list[dict[str, Any]]
    retention: str = "private: the artifacts hold what agents saw and said"


def write(path: Path, run: Path, found: Sequence[Stored], rows: Sequence[Row]) -> None:
    """Write the proof of a run's rows, which stand in the order of its trials, at one stroke.

    Raises SkillcheckError for a run that isn't as it was left, and UsageError where the file can't be written.
    """
    known, what = chain.checked(run)
    if what:
        message = f"run {run.name} {what} and has no proof: see `skillcheck verify`"
        raise SkillcheckError(message)
    manifest = json.dumps(_manifest(known, run, found, rows)._asdict(), indent=2, ensure_ascii=False) + "\n"
    with replacing(path) as file, zipfile.ZipFile(file, "w") as bundle:
        bundle.writestr(_entry(MANIFEST), manifest)
        for name in _artifacts(known):
            with (run / name).open("rb") as source, bundle.open(_entry(f"{ARTIFACTS}/{name}"), "w") as target:
                shutil.copyfileobj(source, target)


def _artifacts(known: Chain) -> list[str]:
    return sorted((*known.files, DIGESTS))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # Unix, whatever this machine is
    entry.external_attr = _MODE
    return entry


def _manifest(known: Chain, run: Path, found: Sequence[Stored], rows: Sequence[Row]) -> Manifest:
    records = [stored.record for stored in found]
    outcomes = [(stored.folder / OUTCOME).relative_to(run).as_posix() for stored in found]
    return Manifest(
        proof_id=known.run,
        created_at=max((record.started for record in records), default=""),
        participants=_participants(records),
        task_set=rows[0].task_set if rows else None,
        task_set_digest=rows[0].task_set_digest if rows else None,
        public_rows=[row._asdict() for row in rows],
        private_proof_refs=[
            {"trial_id": row.trial_id, "artifact": name, "sha256": known.files[name]}
            for row, name in zip(rows, outcomes, strict=True)
        ],
        copied_artifacts=[_copied(run / name, name) for name in _artifacts(known)],
    )


def _copied(file: Path, name: str) -> dict[str, Any]:
    return {"path": name, "sha256": digest.of_file(file), "bytes": file.stat().st_size}


def _participants(records: Sequence[Record]) -> list[dict[str, str]]:
    """Who took part: agents, then graders."""
    agents = {("agent", record.harness, record.version, record.model) for record in records}
    graders = {("grader", r.grading.judge, "", r.grading.model) for r in records if r.grading.judge}
    fields = ("role", "name", "version", "model")
    return [dict(zip(fields, each, strict=True)) for each in (*sorted(agents), *sorted(graders))]
