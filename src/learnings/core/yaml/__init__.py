"""YAML texts: read as trees with places or as values, and edited without touching the rest."""
