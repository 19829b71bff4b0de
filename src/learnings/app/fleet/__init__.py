"""Many repositories: the row of each, from a checkout or from a document that a job has left."""
