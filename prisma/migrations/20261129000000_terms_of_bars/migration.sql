-- A queue may be closed to those jobs alone that name no account, QOS or reservation of their own.
CREATE TYPE "QueueTerm" AS ENUM ('account', 'qos', 'siteReservation');
ALTER TABLE "Queue" ADD COLUMN "barredTerm" "QueueTerm";
