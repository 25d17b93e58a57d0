import pytest

from skillcheck.bench.dockerfile import Copy, instructions, recipe


def test_continued_lines_are_one_instruction():
    text = "# syntax\nFROM ubuntu:24.04\n\nrun apt-get update \\\n  # why\n  && apt-get install -y jq\nWORKDIR /root\n"
    assert [each[:2] for each in instructions(text)] == [(2, "FROM"), (4, "RUN"), (7, "WORKDIR")]
    assert " ".join([*instructions(text)][1].rest.split()) == "apt-get update && apt-get install -y jq"


@pytest.mark.parametrize(
    ("line", "copy"),
    [
        ("COPY a.csv /root/", Copy(("a.csv",), "/root/")),
        ("COPY a.csv /root/b.csv", Copy(("a.csv",), "/root/b.csv")),
        ("COPY data /root/data", Copy(("data",), "/root/data")),
        ("COPY a b ./in", Copy(("a", "b"), "/root/in/")),
        ("COPY . .", Copy((".",), "/root/")),
        ('COPY ["my file", "out/"]', Copy(("my file",), "/root/out/")),
        ('ADD "my file" out/', Copy(("my file",), "/root/out/")),
        ("COPY --chown=root:root --chmod=755 a.sh /root/", Copy(("a.sh",), "/root/")),
    ],
)
def test_copies_are_read(line, copy):
    assert recipe(f"FROM python:3.12-slim\nWORKDIR /root\n{line}\n").copies == (copy,)


def test_the_folder_to_work_in_and_variables_are_read():
    found = recipe("FROM ubuntu\nENV A=1 B='two words'\nENV C d e\nWORKDIR /srv\nWORKDIR app\n")
    assert found.workdir == "/srv/app"
    assert found.env == {"A": "1", "B": "two words", "C": "d e"}
    assert found.obstacle == ""
    assert recipe("FROM ubuntu\n").workdir == "/root"


@pytest.mark.parametrize(
    "image", ["python:3.11", "python", "ubuntu:24.04", "docker.io/library/debian:12-slim", "alpine"]
)
def test_an_image_with_a_system_alone_can_be_done_without(image):
    assert recipe(f"FROM {image}\n").obstacle == ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("FROM node:22", "line 1 of its Dockerfile builds on the image 'node:22', which holds more than a system"),
        ("FROM python:3.12 AS build", "line 1 of its Dockerfile builds on the image"),
        ("FROM ubuntu\nRUN pip3 install numpy", "line 2 of its Dockerfile runs 'pip3 install numpy'"),
        ("FROM ubuntu\nRUN mkdir /a && rm /b", "line 2 of its Dockerfile runs 'mkdir /a && rm /b'"),
        ("FROM ubuntu\nUSER nobody", "line 2 of its Dockerfile has USER"),
        ('FROM ubuntu\nENTRYPOINT ["x"]', "line 2 of its Dockerfile has ENTRYPOINT"),
        (
            "FROM ubuntu\nADD https://example.com/a.zip /a",
            "line 2 of its Dockerfile copies 'https://example.com/a.zip /a'",
        ),
        ("FROM ubuntu\nCOPY --from=build /a /b", "line 2 of its Dockerfile copies '--from=build /a /b' from elsewhere"),
        ("FROM ubuntu\nENV PATH=/opt:$PATH", "line 2 of its Dockerfile sets variables from others: 'PATH=/opt:$PATH'"),
        ("", "its Dockerfile has no FROM"),
        ("COPY 'a /b", "its Dockerfile has no FROM"),
    ],
)
def test_what_takes_an_image_is_told(line, says):
    assert recipe(line).obstacle.startswith(says)


def test_quotes_that_are_not_closed_are_no_crash():
    assert recipe("FROM ubuntu\nCOPY 'a /root/\nENV A='x\n").copies == (Copy(("'a",), "/root/"),)
