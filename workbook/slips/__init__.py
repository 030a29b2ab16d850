"""What a class got wrong, from the progress files that its learners handed in: run.py slips."""
