"""Rules on the Markdown below the frontmatter."""
