"""What benchmarks share: programs that are run, facts about the machine, tables, charts, turns and repeated runs."""
