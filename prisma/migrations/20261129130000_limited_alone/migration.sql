-- A job may wait for the limit of a user or group that it is beyond by itself.
ALTER TABLE "Execution" ADD COLUMN "limitedAloneSince" TIMESTAMPTZ(3);
