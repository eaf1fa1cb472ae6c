/** Keeps an error while something is drawn within it: what stands around it, and what was typed there, stays. */
import { Component, type PropsWithChildren } from 'react';
import { Refusal } from './refusal.js';

interface BorderProps {
  /** What is drawn: once it changes, it is tried again. */
  readonly of?: unknown;
}
interface BorderState {
  readonly of: unknown;
  readonly caught: { readonly error: unknown } | null;
}

export class Border extends Component<PropsWithChildren<BorderProps>, BorderState> {
  static getDerivedStateFromError(error: unknown): Partial<BorderState> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ of }: BorderProps, before: BorderState): BorderState | null {
    return before.of === of ? null : { of, caught: null };
  }

  override state: BorderState = { of: this.props.of, caught: null };

  override render() {
    const { caught } = this.state;
    if (caught === null) return this.props.children;
    return <Refusal error={caught.error} onRetry={() => this.setState({ caught: null })} />;
  }
}
