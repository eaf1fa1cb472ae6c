-- The index of transcripts. Prisma's models cannot hold a tsvector on both databases, so this table is no model: see
-- prisma/tools/engine.mjs.

-- The place of each message: new ones above 2^40, those from before this migration below, so the newest has the highest.
-- The daemon writes words that it has folded itself.
CREATE TABLE "MessageIndexed" (
    "seq" BIGSERIAL PRIMARY KEY,
    "messageId" TEXT NOT NULL REFERENCES "Message" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    "words" TSVECTOR NOT NULL
);
ALTER SEQUENCE "MessageIndexed_seq_seq" RESTART WITH 1099511627777;
CREATE UNIQUE INDEX "MessageIndexed_messageId_key" ON "MessageIndexed"("messageId");
-- Without the list of pending entries: whoever searches would have to read it.
CREATE INDEX "MessageIndexed_words_idx" ON "MessageIndexed" USING GIN ("words") WITH (fastupdate = off);
