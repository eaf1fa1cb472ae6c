-- Words of transcripts are read in another way: the daemon indexes all messages anew in the background, the newest first.
DROP TRIGGER "MessageIndexed_deleted";
DROP TABLE "MessageWords";
DELETE FROM "MessageIndexed";
CREATE VIRTUAL TABLE "MessageWords" USING fts5("scope", "words", tokenize = 'ascii', prefix = '3');
INSERT INTO "MessageWords" ("MessageWords", rank) VALUES ('secure-delete', 1);
CREATE TRIGGER "MessageIndexed_deleted" AFTER DELETE ON "MessageIndexed" BEGIN
    DELETE FROM "MessageWords" WHERE rowid = old."seq";
END;
