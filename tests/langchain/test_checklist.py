"""The 25 points a demanding user of LangChain checks, each with the tests that show it.

A point is shown by tests that name it in their docstring, or that stand in this table; the table itself is tested.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent

CHECKLIST = {
    "01 every way of calling gives the same text and spans": [
        "test_ground.py::test_every_way_of_calling_gives_the_same_text_and_the_same_evidence",
        "test_real_components.py::test_retrievers",
    ],
    "02 a hundred concurrent calls, no span crosses": [
        "test_ground.py::test_a_hundred_concurrent_calls_do_not_share_spans",
        "test_ground.py::test_sync_and_async_reports_are_equal",
    ],
    "03 messages, values, updates, custom and v3 hold verified text only; v2 model events are documented as raw": [
        "test_leaks.py::test_streams",
        "test_leaks.py::test_version_3_streams",
        "test_leaks.py::test_states_and_checkpoints",
        "test_leaks.py::test_control_each_column_would_show_it",
        "test_agent.py::test_raw_model_runs_are_visible_to_tracers_only",
    ],
    "04 judge tokens are never visible": [
        "test_judge.py::test_no_word_of_a_judge_reaches_a_stream",
        "test_judge.py::test_a_judge_is_traced_below_the_guard_and_captured_by_nobody",
        "test_deciding.py::test_behind_a_guarded_chain_it_is_traced_below_the_guard",
    ],
    "05 retrievers in functions, in tools, nested, reranked, trimmed, empty, raising": [
        "test_complaints.py::test_langchain_30222_23811_nested_calls_keep_their_capture",
        "test_capture.py::test_retriever_tools_are_captured_once",
        "test_capture.py::test_only_outermost_retrievers_count",
        "test_capture.py::test_retrieved_but_not_shown_is_not_delivered",
        "test_capture.py::test_trimmed_text_is_delivered_in_part",
        "test_capture.py::test_retriever_that_finds_nothing_is_a_loud_state",
        "test_capture.py::test_retriever_that_raises_raises_for_the_caller",
    ],
    "06 artifacts of searching tools, cite(), documents_key": [
        "test_capture.py::test_artifact_of_a_searching_tool_is_captured",
        "test_capture.py::test_cite_registers_evidence_by_hand",
        "test_capture.py::test_documents_key_limits_what_is_taken_from_the_input",
        "test_agent.py::test_cite_in_a_later_middleware_registers_evidence",
        "test_agent.py::test_documents_in_the_state_are_evidence",
    ],
    "07 inside retries, fallbacks, parallels and another guard": [
        "test_runnable_contract.py::test_composes_with_retry_fallbacks_and_parallel",
        "test_runnable_contract.py::test_guard_around_a_guard_sees_the_same_evidence",
    ],
    "08 schema, graph and name unchanged; the type checker keeps both types": [
        "test_runnable_contract.py::test_types_schema_graph_and_name_are_those_of_the_chain",
        "../typing/langchain_api.py::keeps_input_and_output",
    ],
    "09 callbacks, tags, run_name, run_id and the trace intact": [
        "test_runnable_contract.py::test_callbacks_tags_metadata_run_name_and_run_id_of_the_caller_stay",
        "test_runnable_contract.py::test_trace_shows_the_chain_as_it_was",
    ],
    "10 text, message, content blocks, dict and pydantic outputs": ["test_outputs.py::test_output_kinds"],
    "11 LC_OUTPUT_VERSION=v1": [
        "test_outputs.py::test_block_content_by_default",
        "test_judge.py::test_content_blocks_are_read_as_text",
    ],
    "12 tool-calling turns untouched": ["test_agent.py::test_tool_calling_turns_are_untouched"],
    "13 ToolStrategy and ProviderStrategy": ["test_agent.py::test_structured_output_is_verified_in_every_place"],
    "14 resume from a checkpoint; an interrupt costs one model call": [
        "test_review.py::test_a_person_decides_and_the_model_is_not_asked_again",
        "test_agent.py::test_checkpoints_hold_verified_text_and_plain_spans",
    ],
    "15 the same message id after a change, no second message": ["test_agent.py::test_message_id_and_metadata_stay"],
    "16 sync-only and async-only judges": [
        "test_end_to_end.py::test_sync_only_and_async_only_judges_serve_both",
        "test_judge.py::test_a_judge_does_not_block_the_event_loop",
    ],
    "17 cancellation and early break close upstream": [
        "test_streaming.py::test_early_break_closes_the_chain",
        "test_streaming.py::test_cancellation_closes_the_chain",
        "test_runnable_contract.py::test_early_break_closes_the_chain",
    ],
    "18 no spans, no claims, refusal, not knowing": [
        "test_end_to_end.py::test_no_evidence_never_reads_as_fine",
        "test_end_to_end.py::test_an_answer_without_claims_is_no_supported_answer",
        "test_end_to_end.py::test_not_knowing_is_no_error",
    ],
    "19 languages, lists, tables, code": ["test_end_to_end.py::test_languages_and_layouts_pass_unchanged"],
    "20 the same text in two sources, missing ids, a wrong start_index": [
        "test_documents.py::test_the_same_text_in_two_sources_stays_two_spans",
        "test_real_components.py::test_the_same_text_in_two_sources_survives_an_ensemble",
        "test_documents.py::test_the_same_text_of_the_same_source_has_the_same_id",
        "test_documents.py::test_offset_hints_are_confirmed_by_slicing_the_source",
    ],
    "21 documents are never mutated": ["test_capture.py::test_documents_are_never_changed"],
    "22 no network, nothing blocks the event loop, strict types of the examples": [
        "test_runnable_contract.py::test_async_paths_do_not_block_the_event_loop",
        "test_checklist.py::test_22_network_and_types_are_checked_for_all_tests",
    ],
    "23 the next turn's payload is accepted by providers": [
        "test_end_to_end.py::test_a_message_with_our_summary_goes_back_to_a_provider"
    ],
    "24 zero or only some models reached is explicit": [
        "test_rewrite.py::test_a_chain_no_rule_can_reach_is_refused",
        "test_rewrite.py::test_an_answer_of_a_model_without_rules_is_an_error",
        "test_agent_rules.py::test_a_model_run_without_rules_is_an_error",
        "test_ground.py::test_report_says_what_was_captured",
    ],
    "25 overhead without a judge is measured and published": [
        "test_checklist.py::test_25_overhead_is_printed_and_published"
    ],
}


def _functions(file):
    """The functions of a test module, with their docstrings."""
    nodes = ast.walk(ast.parse((HERE / file).read_text("utf-8")))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: ast.get_docstring(node) for node in nodes if isinstance(node, kinds)}


@pytest.mark.parametrize("point", CHECKLIST)
def test_point_is_shown(point):
    """Every point has tests, they exist, and each says what it guards."""
    for test in CHECKLIST[point]:
        file, _, name = test.partition("::")
        assert _functions(file).get(name), test


def test_all_points_are_there():
    """All 25, in order."""
    assert [int(point[:2]) for point in CHECKLIST] == list(range(1, 26))


def test_22_network_and_types_are_checked_for_all_tests(request):
    """Checklist 22: the network is blocked for the whole suite; `make lint` checks our examples with mypy, strictly."""
    root = HERE.parents[1]
    assert request.config.getoption("--block-network")
    if not (root / "Makefile").exists():
        pytest.skip("not run from a checkout")
    (mypy,) = [line for line in (root / "Makefile").read_text("utf-8").splitlines() if "/mypy " in line]
    assert "examples/langchain_*.py" in mypy
    assert "strict = true" in (root / "pyproject.toml").read_text("utf-8")


def test_25_overhead_is_printed_and_published(capsys, monkeypatch):
    """Checklist 25: the benchmark prints a row for each way of calling, and the README says what it printed."""
    root = HERE.parents[1]
    if not (root / "benchmarks").exists():
        pytest.skip("not run from a checkout")
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    import bench_5_langchain as bench  # noqa: PLC0415

    monkeypatch.setattr(bench, "RUNS", 1)
    bench.main()
    rows = [line.split("  ")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    readme = (root / "integrations" / "langchain" / "README.md").read_text("utf-8")
    assert len(rows) == 3
    for row in rows:
        assert f"| {row} |" in readme
