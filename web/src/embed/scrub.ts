// <lab-scrub>: the small rail: what was done, who expired, where the playhead is.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {drag} from '../drag.ts';
import {memberNode} from '../engine/members.ts';
import {define, Sized} from '../piece.ts';
import {round} from '../picture/lanes.ts';
import {deeds} from '../time/rails.ts';
import {headline, plain, words} from '../words.ts';

const EDGE = 8;

class Scrub extends Sized {
  override connectedCallback(): void {
    super.connectedCallback();
    this.className = 'scrubber';
  }

  private readonly x = (t: number) => round(EDGE + (this.size.width - 2 * EDGE) * t / Math.max(1, this.run.end));

  protected override render(): TemplateResult | typeof nothing {
    const {run, x} = this, {width} = this.size, branch = run.branches.find((b) => b.id === run.branch);
    if (!width || !branch) return nothing;
    const s = run.situation ? plain(headline(run.situation), (n) => run.nameOf(n)) : '', at = x(run.now);
    const told = deeds({branch, events: run.events, group: run.group, name: (n) => run.nameOf(n), member: (id) => memberNode(run.events, id)});
    return html`<svg class="scrub" width=${width} height="32" viewBox="0 0 ${width} 32" role="slider" tabindex="0" aria-label=${words.time.slider}
        aria-valuemin="0" aria-valuemax=${run.end / 1e6} aria-valuenow=${Math.round(run.now / 1e5) / 10} aria-valuetext=${words.time.value(run.here + 1, run.events.length, run.now, s)} @pointerdown=${this.grab}>
      <path class="rail" d="M${EDGE} 16H${width - EDGE}"/><path class="rail on" d="M${EDGE} 16H${at}"/>
      ${told.map((m) => m.expiry ? svg`<path class="loss thin-loss" d="M${x(m.at)} 10v12"><title>${m.label}</title></path>` : svg`<path class="mark" d="M${x(m.at)} 12l-4 -7h8z"><title>${m.title}</title></path>`)}
      <circle class="mark" cx=${at} cy="16" r="7"/></svg>`;
  }

  private grab(e: PointerEvent): void {
    if (e.button !== 0) return;
    const {run} = this, element = e.currentTarget as SVGElement, {left} = element.getBoundingClientRect();
    const move = (m: PointerEvent) => run.seek(run.end * (m.clientX - left - EDGE) / (this.size.width - 2 * EDGE));
    run.stop();
    element.focus();
    drag(e, move);
  }
}

define('lab-scrub', Scrub);
