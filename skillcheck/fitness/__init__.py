"""The fitness of skills as commands see it: what stored trials show, and what the index makes of it as a report."""
