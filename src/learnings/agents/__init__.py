"""Agent files: skills, agents and instructions, and the commands, files and names they use."""
