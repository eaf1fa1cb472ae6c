/** A screen of several pages, each with an address and a file of its own. */
import { Link } from '@tanstack/react-router';
import { type ComponentType, type LazyExoticComponent, type ReactNode, Suspense } from 'react';
import type { ProjectRole } from '../../../src/contract/route.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useWords, type Words } from '../words/all-words.js';
import { Page } from './page.js';
import './parts.css';

export interface Tab {
  /** After the screen in the address. */
  readonly id: string;
  readonly title: (words: Words) => string;
  /** Least role that sees it; left out: everybody. */
  readonly role?: ProjectRole;
  readonly View: LazyExoticComponent<ComponentType>;
}

interface TabbedPageProps {
  readonly path: string;
  readonly title: string;
  readonly tabs: readonly Tab[];
  readonly actions?: ReactNode;
}

export function TabbedPage({ path, title, tabs, actions }: TabbedPageProps) {
  const words = useWords();
  const { project, may } = useProject();
  const openId = useOpenId();
  const shown = tabs.filter(({ role }) => role === undefined || may(role));
  const open = openId === undefined ? shown[0] : shown.find(({ id }) => id === openId);
  return (
    <Page title={title} actions={actions}>
      <nav className="tabs" aria-label={title}>
        {shown.map(({ id, title: name }) => (
          <Link
            key={id}
            to={`/projects/${project.id}/${path}/${id}`}
            aria-current={id === open?.id ? 'page' : undefined}
          >
            {name(words)}
          </Link>
        ))}
      </nav>
      {open === undefined ? (
        <p className="empty">{words.notFound}</p>
      ) : (
        <Suspense fallback={<p className="quiet">…</p>}>
          <open.View key={open.id} />
        </Suspense>
      )}
    </Page>
  );
}
