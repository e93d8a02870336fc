/** The data of brands and operators that several pages show. */

/**
 * The part of a figure that is based on inferred brands. A brand is inferred for flights whose record names only the
 * operator. `share` is the share of these flights among all flights behind the figure. `confidence` is the probability
 * that the inferred brand of one of these flights is right. Null if no brand is inferred.
 */
export type InferredBody = { share: number; confidence: number } | null;

/** An airline that operates flights of a brand, with its share of the brand's flights. */
export type OperatorBody = { airline: string; name: string; share: number; inferred: InferredBody };

/**
 * A brand for which an operator flies. `share` is the part of the operator's flights that the brand sells. `last` is
 * the last month with such flights, as `YYYY-MM`.
 */
export type SellerBody = OperatorBody & { last: string };
