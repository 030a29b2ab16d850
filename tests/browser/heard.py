"""What a page reads aloud: every change of a live region, in order. The page's clock is turned on: no test waits."""

# A region that changes is read with its present words; what is emptied says nothing.
LISTEN = """(() => {
  const live = ":is([aria-live], [role=alert], [role=status], [role=log], output):not([aria-live=off])";
  const regionOf = (node) => (node.nodeType === 1 ? node : node.parentElement)?.closest(live);
  const heard = (globalThis.heard = []);
  const notes = new MutationObserver((records) => {
    const changed = records.filter(({ type, addedNodes }) => type === "characterData" || addedNodes.length);
    const regions = new Set(changed.map(({ target }) => regionOf(target)));
    for (const { addedNodes } of changed)
      for (const node of addedNodes) if (node.matches?.("[role=alert]")) regions.add(node);
    for (const region of regions) {
      const words = region?.textContent.trim();
      const name = () => region.className.split(" ")[0] || region.id || region.localName;
      if (words && region.checkVisibility()) heard.push([name(), words]);
    }
  });
  notes.observe(document, { subtree: true, childList: true, characterData: true });
})()"""
RESTS = 700  # ms: longer than the page holds back


def listen(page) -> None:
    """Before a page goes anywhere."""
    page.clock.install()
    page.add_init_script(LISTEN)


def heard(page, settle) -> list[tuple[str, str]]:
    """What was read aloud since this was last asked, (region, words): what the hand did has come to rest."""
    settle(page)
    page.clock.run_for(RESTS)
    return [tuple(one) for one in page.evaluate("heard.splice(0)")]
