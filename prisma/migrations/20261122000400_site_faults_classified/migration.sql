-- How far the site's clock was from ours when it was last asked.
ALTER TABLE "Site" ADD COLUMN "clockSkewSeconds" DOUBLE PRECISION;

-- A fault is a code from now on. What sites said before may repeat lines of files that a configuration names.
UPDATE "Site"
   SET "fault" = NULL,
       "downTimeState" = CASE WHEN jsonb_typeof("downTimeState" -> 'unanswered') = 'object'
                              THEN jsonb_set("downTimeState", '{unanswered,siteSays}', '"UNREACHABLE: the site cannot be reached"')
                              ELSE "downTimeState" END,
       "downEvidence" = COALESCE((SELECT jsonb_agg(CASE WHEN one ->> 'sign' = 'UNREACHABLE'
                                                        THEN jsonb_set(one, '{explanation}', to_jsonb(regexp_replace(one ->> 'explanation', ' min: .*$', ' min')))
                                                        ELSE one END)
                                    FROM jsonb_array_elements("downEvidence") AS one), '[]');
UPDATE "Execution" SET "reason" = 'UNREACHABLE: the site cannot be reached'
 WHERE "state" = 'HELD' AND "reason" IS NOT NULL AND EXISTS (
       SELECT FROM "Submission" s WHERE s."executionId" = "Execution"."id" AND s."siteSays" = "Execution"."reason");
UPDATE "Submission" SET "siteSays" = 'UNREACHABLE: the site cannot be reached'
 WHERE "state" = 'ABSENT' AND "siteSays" IS NOT NULL AND "siteSays" <> 'neither queue nor accounting know the key';
