"""What two arms tell about a skill: the same tasks with it (treated) and without it (control), tried a few times each.

The unit is the task; its trials are a cluster and never count as independent. Scores are 0 to 1, an effect is a
difference of scores. Everything here is a pure function of numbers; what is drawn at random is seeded. numpy and scipy
are imported at the top of these modules, so whoever uses the room imports it inside a function.
"""
