import { NativeSelect } from '@mantine/core';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { basePath } from '../../base.js';
import { LiveProvider, useLiveState } from '../live/use-live.js';
import { Pending } from '../parts/answer.js';
import { Icon } from '../parts/icon.js';
import { isTyping, useKeys } from '../parts/keys.js';
import { useMarksKept } from '../people/marks.js';
import { screens } from '../screens.js';
import { useClockSkewMs } from '../session/session.js';
import { useWords } from '../words/words.js';
import { AccountMenu } from './account-menu.js';
import { Palette } from './palette.js';
import { ProjectProvider, useProject, useProjects } from './project.js';

// No first screen needs them.
const HeldBar = lazy(() => import('../parts/held-bar.js'));
const CaseBar = lazy(() => import('../cases/case-bar.js'));
const KeysList = lazy(() => import('./keys-list.js'));

export function Frame() {
  const { projectId } = useParams({ strict: false });
  const { data: projects, error, failureReason, refetch } = useProjects();
  const words = useWords();
  const project = projects?.find(({ id }) => id === projectId);
  useEffect(() => {
    if (project !== undefined) localStorage.setItem('earshot-console-project', project.id);
  }, [project]);
  if (projects === undefined) return <Pending of={{ error, failureReason, refetch }} />;
  if (project === undefined) return <p className="empty">{words.notFound}</p>;
  return (
    <ProjectProvider project={project}>
      <LiveProvider projectId={project.id} key={project.id}>
        <Framed />
      </LiveProvider>
    </ProjectProvider>
  );
}

const goMs = 1_000;

function Framed() {
  const words = useWords();
  const navigate = useNavigate();
  const { project, may } = useProject();
  const { data: projects = [] } = useProjects();
  const [isSearching, setSearching] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const goAt = useRef(0);
  useMarksKept();
  const open = screens.filter(({ role }) => role === undefined || may(role));
  const go = (key: string) => {
    const screen = open.find((one) => one.key === key);
    if (screen !== undefined && Date.now() - goAt.current < goMs)
      void navigate({ to: `/projects/${project.id}/${screen.path}` });
    goAt.current = 0;
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (document.querySelector('[role="dialog"]') !== null) return;
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setSearching(true);
        return;
      }
      if (Date.now() - goAt.current >= goMs || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) goAt.current = 0;
      if (goAt.current === 0) return;
      event.stopPropagation();
      go(event.key);
    };
    addEventListener('keydown', pressed, true);
    return () => removeEventListener('keydown', pressed, true);
  });
  useKeys({
    '?': () => setShowsKeys(true),
    '/': () => setSearching(true),
    g: () => {
      goAt.current = Date.now();
    },
  });

  return (
    <div className="frame">
      <a className="skip" href="#content">
        {words.frame.skip}
      </a>
      <section className="top" aria-label={words.console}>
        <span className="mark">
          <img src={`${basePath}/assets/icon.svg`} alt="" width="22" height="22" />
          Earshot
        </span>
        <NativeSelect
          aria-label={words.frame.project}
          value={project.id}
          onChange={(event) => void navigate({ to: `/projects/${event.currentTarget.value}/overview` })}
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <span className="spread" />
        <button
          type="button"
          className="search-button"
          aria-label={`${words.frame.search} Ctrl K`}
          onClick={() => setSearching(true)}
        >
          <Icon name="search" />
          <span>{words.frame.search}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <LiveMark />
        <AccountMenu onKeys={() => setShowsKeys(true)} />
      </section>
      <nav className="side" aria-label={words.frame.navigation}>
        <ul>
          {open.map(({ path, icon, title }) => (
            <li key={path}>
              <Link to={`/projects/${project.id}/${path}`} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                {title(words)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main className="content" id="content" tabIndex={-1}>
        <Notices />
        <Suspense fallback={null}>
          <CaseBar />
          <HeldBar />
        </Suspense>
        <Outlet />
      </main>
      <Palette opened={isSearching} onClose={() => setSearching(false)} />
      <Suspense fallback={null}>{showsKeys && <KeysList onClose={() => setShowsKeys(false)} />}</Suspense>
    </div>
  );
}

function LiveMark() {
  const words = useWords();
  const lostFor = useLiveState();
  return (
    <span className="live" data-lost={lostFor === null ? undefined : ''} title={lostFor ?? words.frame.live}>
      <span>{lostFor === null ? words.frame.live : words.frame.stale}</span>
    </span>
  );
}

function Notices() {
  const words = useWords();
  const lostFor = useLiveState();
  const skewSeconds = Math.round(useClockSkewMs() / 1_000);
  const { project } = useProject();
  const role = useRef(project.role);
  const [isLess, setLess] = useState(false);
  useEffect(() => {
    if (role.current !== project.role) setLess(true);
    role.current = project.role;
  }, [project.role]);
  const notices = [
    lostFor === null ? null : words.away(lostFor),
    Math.abs(skewSeconds) < 30 ? null : words.wrongClock(skewSeconds),
    isLess ? words.rightLost : null,
  ].filter((notice) => notice !== null);
  return (
    <div className="notices" role="status">
      {notices.map((notice) => (
        <p className="notice" key={notice}>
          {notice}
        </p>
      ))}
    </div>
  );
}
