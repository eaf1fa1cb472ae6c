import { type PropsWithChildren, type ReactNode, useEffect, useRef } from 'react';
import { Border } from './border.js';
import { CliSwitch } from './copy.js';

interface PageProps {
  readonly title: ReactNode;
  /** Buttons and filters beside the title. */
  readonly actions?: ReactNode;
}

export function Page({ title, actions, children }: PropsWithChildren<PageProps>) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${heading.current?.textContent?.trim() ?? ''} · Earshot`;
  });
  return (
    <div className="page">
      <header className="page-head">
        <h1 ref={heading}>{title}</h1>
        <div className="page-actions">
          {actions}
          <CliSwitch />
        </div>
      </header>
      {children}
    </div>
  );
}

export const Panel = ({ title, actions, children }: PropsWithChildren<PageProps>) => (
  <section className="panel">
    <header>
      <h2>{title}</h2>
      <div className="page-actions">{actions}</div>
    </header>
    <Border>{children}</Border>
  </section>
);
