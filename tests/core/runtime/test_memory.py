"""How much memory is free: of the machine, or of its container."""

from dpca_core.runtime.memory import free_memory


def test_free_memory_is_the_machines_or_the_containers(tmp_path):
    assert free_memory(tmp_path) is None
    group = tmp_path / "sys/fs/cgroup"
    for folder in (tmp_path / "proc", group):
        folder.mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 5000 kB\n")
    assert free_memory(tmp_path) == 5000 * 1024
    (group / "memory.current").write_text("900000")
    (group / "memory.stat").write_text("anon 5\ninactive_file 300000\n")
    for most, free in (("max", 5000 * 1024), ("1000000", 400_000), ("100000", 0)):
        (group / "memory.max").write_text(f"{most}\n")
        assert free_memory(tmp_path) == free
