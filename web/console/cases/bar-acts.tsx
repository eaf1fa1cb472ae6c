/** Decides the claimed case from any page; by the mouse alone, because the keys belong to the page. */
import type { Case } from '../../../src/contract/reports/cases.js';
import { CaseActs, SevereActs } from './case-acts.js';
import { useCaseWork } from './case-work.js';

export default function BarActs({ found }: { readonly found: Case }) {
  const work = useCaseWork(found, { hasKeys: false });
  return (
    <>
      <CaseActs work={work} />
      <span className="severe">
        <SevereActs work={work} />
      </span>
    </>
  );
}
