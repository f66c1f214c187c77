import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';

/** A moment as ISO 8601 text; inputs may carry any offset. */
export const DateTime = GraphQLDateTime;

/** Any JSON value. */
export const Json = GraphQLJSON;
