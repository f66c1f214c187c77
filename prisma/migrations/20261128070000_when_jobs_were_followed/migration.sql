ALTER TABLE "Site" ADD COLUMN "followedAt" TIMESTAMPTZ(3);
UPDATE "Site" SET "followedAt" = "observedAt";
