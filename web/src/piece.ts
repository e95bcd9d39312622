// The base of every element that draws the run. It renders into the light DOM
// of the one shadow root around it, so that all share one sheet and one set of
// SVG patterns.

import {LitElement, type PropertyValues} from 'lit';
import type {Run} from './run/run.ts';

/** A page may load this file twice, in two versions: the first one stays. */
export function define(name: string, piece: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, piece);
}

export abstract class Piece extends LitElement {
  static override properties: Record<string, object> = {run: {attribute: false}};
  declare run: Run;

  private unfollow: (() => void) | null = null;

  protected override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.listen();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
    this.unfollow = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('run')) this.listen();
  }

  private listen(): void {
    this.unfollow?.();
    this.unfollow = this.isConnected && this.run ? this.run.follow(() => this.requestUpdate()) : null;
  }
}

/** A piece that is drawn to fit: it knows its size in whole pixels. */
export abstract class Sized extends Piece {
  protected size = {width: 0, height: 0};

  private readonly observer = new ResizeObserver(([entry]) => {
    const {width, height} = entry!.contentRect;
    this.size = {width: Math.floor(width), height: Math.floor(height)};
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }
}
