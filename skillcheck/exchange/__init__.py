"""Others' eval files into case files of ours, and results of ours into what others' tools read."""
