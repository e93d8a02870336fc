/** Told after each unit of work: how many of how many are done, and what the last one was. */
export type Progress = (done: number, total: number, what: string) => void;
