-- AlterTable
ALTER TABLE "ProjectSettings" ADD COLUMN     "speechLanguage" TEXT,
ADD COLUMN     "speechVocabulary" TEXT NOT NULL DEFAULT '[]';
