"""HTTP: thin views and the schemas that check and document them. They translate and never decide."""
