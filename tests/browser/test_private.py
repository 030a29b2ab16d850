"""What private.js takes from JupyterLab, ipywidgets and anywidget is still there: what breaks without it."""

import pytest

from .test_view import opened

pytestmark = pytest.mark.browser
PROBE = '''
import anywidget
import ipywidgets as widgets
from traitlets import Unicode

class Probe(anywidget.AnyWidget):
    _esm = """
    export default {
      async render({ model, el }) {
        const [own, chosen, slid] = await Promise.all(
          ["own", "chosen", "slid"].map((name) => model.widget_manager.get_model(model.get(name))));
        const handle = Object.getPrototypeOf(own.constructor.prototype)._handle_comm_msg;
        el.className = "found";
        el.textContent = [typeof handle, typeof own.comm?.on_msg,
          chosen.get("_options_labels"), typeof slid.get("_options_labels")].join("; ");
      },
    };
    """
    own, chosen, slid = Unicode().tag(sync=True), Unicode().tag(sync=True), Unicode().tag(sync=True)

slid, chosen = widgets.IntSlider(3, description="n"), widgets.Dropdown(options=["a", "b"])
probe = Probe(chosen=chosen.model_id, slid=slid.model_id)
probe.own = probe.model_id
widgets.VBox([slid, chosen, probe])
'''


def test_what_is_not_promised_is_still_there(browser, folder, lab):
    with opened(browser, lab, folder, PROBE, "'the last cell'") as notebook:
        page = notebook.page
        found = page.locator(".found").inner_text().split("; ")
        assert found[:2] == ["function", "function"], "hear: a widget that starts late would stay deaf"
        assert found[2:] == ["a,b", "undefined"], "isSelection: a grip would set a list's value, and not its index"
        slider = page.locator(".widget-slider")
        parts = [slider.locator(name).count() for name in ("[role=slider]", ".widget-readout", ".widget-label")]
        assert parts == [1, 1, 1], "WIDGET: sliders would have no name and no value that is read aloud"
        handle = slider.locator("[role=slider]")
        cell = page.locator(".jp-Cell", has=handle)
        cell.evaluate("cell => cell.focus()")
        assert cell.evaluate("cell => cell === document.activeElement"), "CELL: Escape would lead nowhere"
        handle.evaluate("handle => handle.setAttribute('data-lm-suppress-shortcuts', 'true')")
        handle.focus()
        page.keyboard.type("dd")
        assert cell.count() == 1, "keepKeys: JupyterLab would delete the cell"
        handle.evaluate("handle => handle.removeAttribute('data-lm-suppress-shortcuts')")
        page.keyboard.type("dd")
        cell.wait_for(state="detached")
