"""Style that pages share."""

PAGE_STYLE = """<style>
.stMainBlockContainer {padding-top: 4.2rem; padding-bottom: 3rem; max-width: 1368px}
.st-key-controls {gap: 1rem; flex-wrap: wrap}
.stElementContainer[data-stale="true"] {opacity: 1 !important}
.st-key-controls [data-testid="stWidgetLabel"] {min-height: 1.1rem; margin-bottom: 0}
@media (max-width: 640px) {
  .st-key-controls {display: none; flex-direction: column; flex-wrap: nowrap; gap: .5rem}
  .st-key-controls > * {width: 100% !important; flex: none !important}
  body.dpca-controls-open .st-key-controls {display: flex}
  .stMainBlockContainer {padding-left: 1rem; padding-right: 1rem; padding-bottom: 7rem}
}
</style>"""
