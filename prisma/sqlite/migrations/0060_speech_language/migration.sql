-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN "speechLanguage" TEXT;

-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN "speechVocabulary" TEXT NOT NULL DEFAULT '[]';
