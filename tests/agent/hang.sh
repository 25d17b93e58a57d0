#!/bin/sh
# An agent that says nothing, reads nothing and doesn't end.
exec sleep 600
