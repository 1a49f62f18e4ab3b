// The look of <gallop-scrubber>. A finger finds knobs of 40 pixels; forced colours keep them apart.

export const STYLE = `
:host { display: block; min-inline-size: 4em; block-size: 28px; touch-action: pan-y;
  user-select: none; -webkit-user-select: none; -webkit-tap-highlight-color: transparent;
  --on: var(--gallop-active, #0b6bcb);
  --off: var(--gallop-inactive, color-mix(in srgb, currentColor 22%, transparent)); }
:host([hidden]) { display: none }
:host([disabled]) { opacity: .5; pointer-events: none }
/* Time runs from left to right everywhere, as in the bar of controls. */
.track { position: relative; block-size: 100%; margin-inline: 9px; cursor: pointer; direction: ltr }
.rail, .part { position: absolute; inset-block: calc(50% - 2px); border-radius: 2px }
.rail { inset-inline: -9px; background: var(--off) }
.part { background: var(--on) }
.knob { position: absolute; inset-block-start: 50%; inline-size: 18px; block-size: 18px; margin: -9px;
  box-sizing: border-box; border-radius: 50%; background: var(--on);
  border: 2px solid var(--gallop-knob, Canvas);
  box-shadow: 0 0 0 1px rgb(0 0 0 / .18), 0 1px 3px rgb(0 0 0 / .3); cursor: grab; outline: none }
.knob::before { content: ""; position: absolute; inset: -11px } /* a finger wants 40 pixels */
.start, .end { border-radius: 5px; inline-size: 12px; block-size: 22px; margin: -11px -6px;
  cursor: ew-resize }
.knob:focus-visible { outline: 2px solid var(--on); outline-offset: 2px }
.held { cursor: grabbing; z-index: 2 }
.knob[hidden], .part[hidden] { display: none }
@media (forced-colors: active) {
  .rail { background: ButtonBorder } .part, .knob { background: Highlight; forced-color-adjust: none }
  .knob { border-color: CanvasText } :host([disabled]) .knob { background: GrayText } }
`;
