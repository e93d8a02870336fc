/** Called after each item with the number of finished items, the number of all items, and the name of the last item. */
export type Progress = (done: number, total: number, item: string) => void;
