-- A job may be held back so that it does not start into a burst of its site's IO.
ALTER TABLE "Execution" ADD COLUMN "avoidIoBurstsSeconds" INTEGER;
