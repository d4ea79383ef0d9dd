"""Who calls whom."""

from __future__ import annotations

from precis.frontends.text.parse import parse
from precis.ir.callgraph import call_graph
from precis.ir.program import Program


def program(*bodies: str) -> Program:
    """Procedures `name: line; line`, in the order given, each without parameters."""
    text = ["precis ir 1", "external ext: fn(i32) -> void"]
    text += ["global slot: *void size 8 align 8 {", "  0 = fn stored as *void", "}"]
    for entry in ("stored:", *bodies):
        name, _, lines = entry.partition(":")
        text += [f"procedure {name}(): fn() -> void {{", "  var %0: *fn() -> void", "b0:"]
        text += [f"  {line}" for line in lines.split(";") if line.strip()]
        text += ["  return", "}"]
    return parse("\n".join(text))


def test_calls_by_name() -> None:
    graph = call_graph(program("a: call fn b(); call fn ext(1); call fn b()", "b:"))
    assert graph.callees == {"stored": (), "a": ("ext", "b"), "b": ()}
    assert graph.callers == {"ext": ("a",), "stored": (), "a": (), "b": ("a",)}
    assert graph.address_taken == ("stored",)


def test_indirect_calls_reach_what_fits() -> None:
    graph = call_graph(
        program(
            "a: call %0()",
            "b: %0 = fn c; call fn d()",
            "c:",
            "d:",
            "e: %0 = fn ext as *fn() -> void",
        )
    )
    assert graph.address_taken == ("ext", "stored", "c")
    assert graph.callees["a"] == ("stored", "c")
    other = call_graph(
        program("a: call (%0 as *fn(i32) -> void)(1)", "b: %0 = fn ext as *fn() -> void")
    )
    assert other.callees["a"] == ("ext",)


def test_indirect_calls_reach_what_takes_such_arguments() -> None:
    text = """precis ir 1
procedure number(%0): fn(i32) -> void {
  var %0: i32
b0:
  return
}
procedure place(%0): fn(*i32) -> void {
  var %0: *i32
b0:
  return
}
procedure asks(): fn() -> void {
  var %0: *fn(i32) -> void
  var %1: *fn(*i32) -> void
b0:
  %0 = fn number
  %1 = fn place
  call %0(1)
  return
}
"""
    graph = call_graph(parse(text))
    assert graph.callees["asks"] == ("number",)
    assert graph.named["asks"] == ()
    assert graph.reachable(["asks"]) == ("number", "asks")
    assert graph.by_name(["asks"]) == ("asks",)


def test_spawned_procedures_are_called() -> None:
    graph = call_graph(program("a: %0 = spawn fn b(%0)", "b:"))
    assert graph.callees["a"] == ("b",)
    assert graph.address_taken == ("stored",)


def test_components_are_bottom_up_in_program_order() -> None:
    bodies = (
        "main: call fn odd(); call fn last()",
        "even: call fn odd()",
        "odd: call fn even(); call fn leaf()",
        "last:",
        "leaf:",
        "self: call fn self()",
    )
    graph = call_graph(program(*bodies))
    assert graph.components == (
        ("stored",), ("last",), ("leaf",), ("even", "odd"), ("main",), ("self",),
    )  # fmt: skip
    assert [c for c in graph.components if graph.is_recursive(c)] == [("even", "odd"), ("self",)]


def test_reachable_from_roots() -> None:
    graph = call_graph(program("a: call fn b()", "b: call fn ext(1)", "c: call fn a()"))
    assert graph.reachable(["a"]) == ("ext", "a", "b")
    assert graph.reachable(["c", "stored"]) == ("ext", "stored", "a", "b", "c")
    assert graph.reachable([]) == ()


def test_long_chains_of_calls() -> None:
    count = 3000
    bodies = [f"p{at}: call fn p{at + 1}()" for at in range(count)]
    graph = call_graph(program(*bodies, f"p{count}: call %0()"))
    names = tuple(f"p{at}" for at in range(count, -1, -1))
    assert [component[0] for component in graph.components[1:]] == list(names)
    assert len(graph.reachable(["p0"])) == count + 2
