type Waiting<Question, Answer> = {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (cause: unknown) => void;
};

/**
 * Asks together what is asked for in one turn of the event loop, and gives each its answer; all fail together, too. Under
 * load that saves most of what asking Redis costs; who asks alone waits for nothing.
 */
export function inOneTurn<Question, Answer>(
  askAll: (questions: Question[]) => Promise<Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  const ask = () => {
    const asked = waiting;
    waiting = [];
    Promise.try(
      askAll,
      asked.map(({ question }) => question),
    ).then(
      (answers) => asked.forEach(({ resolve }, at) => resolve(answers[at] as Answer)),
      (cause: unknown) => asked.forEach(({ reject }) => reject(cause)),
    );
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(ask);
      waiting.push({ question, resolve, reject });
    });
}
