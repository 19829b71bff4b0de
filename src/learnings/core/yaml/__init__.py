"""YAML texts: read as trees with places or as values, edited without a change to anything else."""
