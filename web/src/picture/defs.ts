// The SVG patterns, once for the whole page: the hatch of a gap, the hatch of a
// dead owner in each hue, the stripe of the seventh member and on.

import {html, svg} from 'lit';

export const patterns = html`<svg class="away" width="0" height="0" aria-hidden="true"><defs>
  <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatchline" d="M0 0V6"/></pattern>
  ${[1, 2, 3, 4, 5, 6].map((i) => svg`<pattern id="dead-${i}" class="m${i}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
    <rect class="deadback" width="5" height="5"/><path class="deadline-h" d="M0 0V5"/></pattern>
  <pattern id="stripe-${i}" class="m${i}" width="8" height="8" patternUnits="userSpaceOnUse"><path class="stripeline" d="M0 0V8"/></pattern>`)}
</defs></svg>`;
