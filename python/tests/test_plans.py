"""plan(), which needs no GPU."""

from xml.etree import ElementTree

import numpy as np
import pytest
import rooftile


@pytest.mark.parametrize("chip", ["h200", "a100", "mi300x"])
def test_chips(chip):
    assert chip in rooftile.chips()
    plan = rooftile.plan(512, 256, 128, "f32", chip=chip, op="nt", batch=3)
    assert plan.text.startswith(f"f32 nt 512x256x128 batch=3 on {chip}")
    assert "roofline:" in plan.text and str(plan) == plan.text
    assert plan.json["chip"] == chip and plan.json["flops"] == 2 * 3 * 512 * 256 * 128
    assert plan.json["plans"][0]["seconds"] == min(each["seconds"] for each in plan.json["plans"])
    assert plan.json["plans"][0]["plan"] in repr(plan)


@pytest.mark.parametrize("dtype", ["c128", "complex128", np.complex128, np.dtype("c16")])
def test_types(dtype):
    assert rooftile.plan(64, 64, 64, dtype).json["shape"] == "c128 nn 64x64x64"


def test_html():
    plan = rooftile.plan(64, 64, 64, "f32", top=3)
    text = plan._repr_html_()
    assert len(plan.json["plans"]) == 3 and text.count("<tr>") == 4 + len(plan.reasons)
    assert f"{1e6 * plan.json['plans'][2]['seconds']:.2f}" in text
    assert f"<td>limit</td><td>{plan.reasons['limit']}</td>" in text


def test_reasons():
    plan = rooftile.plan(1024, 1024, 512, "f32")
    assert plan.reasons["plan"] == plan.json["plans"][0]["plan"]
    assert {"roofline", "occupancy", "waves", "predicted", "limit"} <= set(plan.reasons)
    assert plan.text.endswith(f"{plan.reasons['runner-up']}\n")


@pytest.mark.parametrize("shape", [
    (1024, 1024, 512, "f32", "h200", "nn"), (4096, 4096, 4096, "f16", "h200", "nn"),
    (8, 8, 100000, "f64", "a100", "TN"), (700, 300, 50, "c64", "mi300x", "NT"),
    (1, 5000, 17, "bf16", "a100", "nn"), (2048, 64, 64, "c128", "v100", "nn"),
    (16, 16, 16, "f32", "rx7900xtx", "nn"),
    (358, 22, 449, "c128", "h100", "tt")])  # one tile, by FMA and by an instruction
def test_runner_up_is_the_second_of_the_table(shape):
    m, n, k, dtype, chip, op = shape
    plan = rooftile.plan(m, n, k, dtype, chip, op)
    first, second = (each["plan"] for each in plan.json["plans"][:2])
    assert plan.reasons["plan"] == first
    assert plan.reasons["runner-up"].startswith(f"{second}, ")


def test_roofline():
    plan = rooftile.plan(64, 64, 64, "f32")
    picture = plan.roofline()._repr_svg_()
    assert f">{plan.json['flopsPerSecond'] / 1e12:.4g} TFLOP/s<" in picture
    assert picture.count("<circle") == len(plan.json["plans"]) + 1  # and the legend
    assert picture.startswith("<svg") and picture == str(plan.roofline())
    ElementTree.fromstring(picture)


def test_errors():
    with pytest.raises(ValueError, match="chip: .*h20o"):
        rooftile.plan(64, 64, 64, "f32", chip="h20o")
    with pytest.raises(ValueError, match="m is 0; expected 1 or more"):
        rooftile.plan(0, 64, 64, "f32")
    with pytest.raises(ValueError, match="op is 'xx'; expected nn, nt, tn or tt"):
        rooftile.plan(64, 64, 64, "f32", op="xx")
    with pytest.raises(TypeError, match="dtype is int32; expected one of f16, bf16"):
        rooftile.plan(64, 64, 64, "int32")
    with pytest.raises(ValueError, match="expected sizes"):
        rooftile.plan(1 << 40, 64, 64, "f32")


def test_emulated():
    """Six products of bf16 for one of f32, where matrices are large."""
    strict, emulated = (rooftile.plan(4096, 4096, 4096, "f32", math=math)
                        for math in ("strict", "emulated"))
    assert "6 products, A and B packed" in emulated.text
    assert "6 products" not in strict.text
    with pytest.raises(ValueError, match="math is 'fast'; expected strict, emulated or tf32"):
        rooftile.plan(64, 64, 64, "f32", math="fast")
