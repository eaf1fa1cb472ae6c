/** Erases and renames people in every table in which the data map says how. */
import type { KnownPerson, PersonErasure, PersonMoveSteps } from '../module.js';
import type { MovingPerson } from '../moving-person.js';
import type { Database, Transaction } from './database.js';
import { asLostRace } from './errors.js';
import { dataMap } from './generated/data-map.js';
import {
  all,
  any,
  type Condition,
  countAll,
  deleteAll,
  deleteSome,
  equal,
  type MappedTable,
  type PersonColumns,
  updateAll,
} from './mapped-tables.js';

type PersonTable = MappedTable & { readonly person: PersonColumns };

const tables = dataMap.filter((table): table is PersonTable => table.person !== null);
const erased = tables.filter(({ erase }) => erase !== null);
const large = erased.filter(({ erase }) => erase?.inBatches);
const renamed = tables.filter(({ rename }) => rename);
const counted = tables.filter(({ count }) => count !== null);

interface PersonIds {
  readonly id: string;
  readonly externalUserId: string;
}

/** Rows of people, by any of their ids. */
const about = ({ external, participant, foundByParticipant }: PersonColumns, persons: readonly Partial<PersonIds>[]) =>
  persons.flatMap(({ id, externalUserId }): Condition[] => [
    ...(external === null || externalUserId === undefined ? [] : [equal(external, externalUserId)]),
    ...(participant === null || !foundByParticipant || id === undefined ? [] : [equal(participant, id)]),
  ]);

/** Deletes the person's rows: large tables in batches ahead, all in the transaction before and after it has the log. */
export function personErasure(database: Database): PersonErasure {
  const { dialect } = database;
  const rowsOf = ({ person }: PersonTable, projectId: string, one: PersonIds): Condition =>
    all(equal('projectId', projectId), any(...about(person, [one])));
  const erase = async (tx: Transaction, projectId: string, one: PersonIds): Promise<void> => {
    for (const table of erased) await deleteAll(tx, dialect, table, rowsOf(table, projectId, one));
  };
  return {
    async inBatches(projectId, one) {
      for (const table of large) {
        const some = (tx: Transaction) => deleteSome(tx, dialect, table, rowsOf(table, projectId, one));
        while ((await database.transaction(some)) > 0);
      }
    },
    // Writers lock rows before the log: in the other order two transactions could wait for each other.
    beforeLog: erase,
    // Rows that somebody has committed in between.
    afterLog: erase,
  };
}

/** Gives the person's rows the new id, with those of a participant who is merged into them. */
export function personRename({ dialect }: Pick<Database, 'dialect'>): PersonMoveSteps {
  const rowsOf = ({ person }: PersonTable, { id, joinedId, from, to }: MovingPerson): Condition[] => {
    const { external, participant } = person;
    const own = external === null ? [] : about(person, [{ id, externalUserId: from }]);
    if (joinedId === null || participant === null) return own;
    return [...own, ...about(person, [{ id: joinedId, externalUserId: to }])];
  };
  return {
    async count(reader, { projectId, externalUserId }: KnownPerson) {
      const found: Record<string, number> = {};
      for (const table of counted) {
        const condition = all(equal('projectId', projectId), ...about(table.person, [{ externalUserId }]));
        found[table.count ?? table.name] = await countAll(reader, dialect, table, condition);
      }
      return found;
    },
    async merge(tx, person) {
      for (const table of renamed) {
        const { external, participant } = table.person;
        const rows = rowsOf(table, person);
        if (rows.length === 0) continue;
        const changes = [
          ...(external === null ? [] : [equal(external, person.to)]),
          ...(participant === null ? [] : [equal(participant, person.id)]),
        ];
        const renamed = all(equal('projectId', person.projectId), any(...rows));
        await updateAll(tx, dialect, table, changes, renamed).catch(asLostRace); // the new id has got such a row meanwhile
      }
    },
  };
}
