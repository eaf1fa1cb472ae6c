-- The index of transcripts. Prisma knows no virtual tables, so these tables are no models: see prisma/tools/engine.mjs.

-- The place of each message: new ones above 2^40, those from before this migration below, so the newest has the highest.
CREATE TABLE "MessageIndexed" (
    "seq" INTEGER PRIMARY KEY AUTOINCREMENT,
    "messageId" TEXT NOT NULL REFERENCES "Message" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "MessageIndexed_messageId_key" ON "MessageIndexed"("messageId");
INSERT INTO sqlite_sequence ("name", "seq") VALUES ('MessageIndexed', 1099511627776);

-- The daemon writes words that it has folded itself, separated by spaces.
CREATE VIRTUAL TABLE "MessageWords" USING fts5("scope", "words", tokenize = 'ascii', prefix = '3');
-- What is deleted leaves the file at once.
INSERT INTO "MessageWords" ("MessageWords", rank) VALUES ('secure-delete', 1);
CREATE TRIGGER "MessageIndexed_deleted" AFTER DELETE ON "MessageIndexed" BEGIN
    DELETE FROM "MessageWords" WHERE rowid = old."seq";
END;
