-- Milliseconds and seconds that nothing limits get 64 bits: 32 bits end after 24 days and 20 hours, or 68 years.
-- Message is the largest table of an installation. Its columns are renamed and new ones stand beside them, which changes
-- the catalogue alone: a change of type, or a copy of the values, would write every line of every transcript again, with
-- its indexes, while nobody can use the daemon. Lines of before keep their values in the renamed columns, and take them
-- along when their time of keeping ends.
ALTER TABLE "Message" RENAME COLUMN "startMs" TO "startMs32";
ALTER TABLE "Message" RENAME COLUMN "endMs" TO "endMs32";
ALTER TABLE "Message" ADD COLUMN     "startMs" BIGINT,
ADD COLUMN     "endMs" BIGINT;

-- Sanctions and the sound of reports are few: these tables are written again.
ALTER TABLE "Sanction" ALTER COLUMN "duration" SET DATA TYPE BIGINT;
ALTER TABLE "ReportSound" ALTER COLUMN "durationMs" SET DATA TYPE BIGINT;
