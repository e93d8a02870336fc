/** Called after each item: number of finished items, number of all items, and name of the last item. */
export type Progress = (done: number, total: number, item: string) => void;
