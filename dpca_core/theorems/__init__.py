"""What papers prove about the number of people a mechanism needs."""
