-- How sure the recogniser was of each utterance, and the thresholds of a project.
ALTER TABLE "Message" ADD COLUMN "asrReport" TEXT;
ALTER TABLE "ProjectSettings" ADD COLUMN "speechConfidenceMin" DOUBLE PRECISION;
ALTER TABLE "ProjectSettings" ADD COLUMN "noSpeechProbabilityMax" DOUBLE PRECISION;
