// SPDX-License-Identifier: Apache-2.0
import React from 'react';

interface Props {
  /** The name of what is in it, at the beginning of a sentence. */
  what: string;
  /** What the children are drawn from; when it changes they are tried again. */
  data: unknown;
  children: React.ReactNode;
}

interface State {
  error: Error | null;
}

/** Shows the error of what is in it in its place, so that the rest of the page lives on. */
export class Guard extends React.Component<Props, State> {
  state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  componentDidUpdate(before: Props) {
    if (this.state.error && before.data !== this.props.data) {
      this.setState({ error: null });
    }
  }

  render() {
    const { what, children } = this.props;
    const { error } = this.state;
    return error ? (
      <p role="alert">
        {what} failed: {error.message}. Reload the page.
      </p>
    ) : (
      children
    );
  }
}
