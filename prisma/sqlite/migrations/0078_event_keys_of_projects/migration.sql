-- Until here the key of an event from a back end began with the id of its API key or account, "<id> <key>". Now the project is the
-- scope, "project <key>". Keys of players begin with a quotation mark and stay. Of two events that become one key, the first has it.
WITH "Scoped" AS (
  SELECT "id", row_number() OVER (PARTITION BY "projectId", substr("idempotencyKey", instr("idempotencyKey", ' ')) ORDER BY "id") AS "nth"
  FROM "GameEvent" WHERE "idempotencyKey" IS NOT NULL AND "idempotencyKey" NOT LIKE '"%'
)
UPDATE "GameEvent" SET "idempotencyKey" = 'project' || substr("idempotencyKey", instr("idempotencyKey", ' '))
WHERE "id" IN (SELECT "id" FROM "Scoped" WHERE "nth" = 1);
