"""Classifiers of similarities in files and pickles: their training samples, as the program's."""

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from nearkin import _columns, _core, _saved
from nearkin._estimator import sentences
from nearkin.learn import Similarity


class KeptMixin(_saved.LoadMixin):
    """A classifier as the bytes of the program's model, and back."""

    def save(self, path):
        """Write the classifier to a file, as ``nearkin classify -o`` does.

        Parameters
        ----------
        path : str or path-like
            The file; a model of the program, in the safetensors format. It holds the training
            samples: whoever has the file has them.
        """
        check_is_fitted(self)
        if self._function is not None:
            raise ValueError(
                "the measure is a function of your program, and a file holds no code; give its "
                "values with similarity='precomputed', or pickle the classifier"
            )
        if self._is_sparse():
            raise ValueError(
                "a file holds every cell of the training rows, and these are sparse; pickle the "
                "classifier, or fit it on X.toarray()"
            )
        _saved.write(path, self._bytes())

    def _bytes(self):
        if self._given() is not None:
            samples = (self._training, self._given() == "metric")
        elif hasattr(self, "measure_"):
            learner = self.measure_
            compared = (learner._method, learner._set_to, learner.similarity_._inner)
            samples = (self._training.rows(), self._names(), compared)
        elif self._known is not None:
            samples = (self._training.rows(), self._names(), ("learned", {}, self._known._inner))
        else:
            compared = (self.measure, self._measure_settings())
            samples = (self._training.rows(), self._names(), compared)
        names = self._class_names
        # What was learned goes along, unless it holds all similarities: then it is learned again.
        learned = vars(self).get("_classifier")
        return _core.classifier_bytes(
            self._method, self._set_to, samples, self._codes, names, self._words, learned
        )

    def _take_samples(self, found):
        """The training samples in a model, as ``fit`` keeps them."""
        self._codes, self._class_names = found["codes"], found["class_names"]
        self._known = self._function = None
        if "similarities" in found:
            s = found["similarities"]
            self._training = 0 - s if found["dissimilar"] else s
            return
        places = found["places"]
        nominal = np.array([not isinstance(place, int) for place in places])
        if found["measure"] == "learned":
            self._known = Similarity._of(found["similarity"])
        # As _columns.read: without categories, features are the columns of the numbers.
        kinds = _saved.retold(found["words"][3]).get("kinds") or _columns.kinds_of(places)
        options = (places, nominal, kinds) if nominal.any() else (None, None)
        self._training = _columns.Columns(found["numbers"], *options)

    @classmethod
    def _restored(cls, found):
        made = cls(**_saved.settings("classify", cls._method, found["parameters"]))
        made._set_to, made._words = dict(found["parameters"]), tuple(found["words"])
        said = _saved.retold(found["words"][3])
        made._take_samples(found)
        made.classes_ = _saved.classes(found["class_names"], found["words"][2])
        if "similarities" in found:
            made.set_params(**{"metric" if found["dissimilar"] else "similarity": "precomputed"})
            made.n_features_in_ = len(found["codes"])
        else:
            _saved.keep_names(made, found["feature_names"], said)
            made._take_measure(found)
        _saved.tell(made, said)
        made._prepare(found["fitted"])
        inside = made._classifier.inside()
        made._look_inside(inside)
        made.notes_ = sentences(inside["notes"])
        return made

    def _take_measure(self, found):
        name, texts, learned = found["measure"], found["measure_parameters"], found["similarity"]
        if learned is None:
            self.measure = name
            self.measure_params = _saved.unlike_defaults("measure", name, texts)
            return
        if name == "learned":
            self.measure = self._known
            return
        # A model keeps what the learner learned, and not how well it went.
        known = _core.unlearned(learned, found["class_names"])
        known |= {"kind": "similarity", "method": name, "parameters": texts, "k": 1, "rule": "knn"}
        self.measure_ = _saved.named("learn", name)._restored(known | {"words": self._words})
        self.measure = clone(self.measure_)

    # What follows from the training samples, and so need not be pickled beside their bytes.
    _from_fit = ("_classifier", "_measure", "_beside")
    _from_model = ("_training", "_codes", "_class_names", "_known", "_function")
    _hidden = (*_from_fit, *_from_model, "_set_to", "_words")

    def __getstate__(self):
        state = super().__getstate__()
        if "_classifier" not in state:
            return state
        state = {key: state[key] for key in state if key not in self._from_fit}
        # The bytes of a model hold no code, and every cell.
        if self._function is not None or self._is_sparse():
            if not self._holds_similarities:
                state["_parts"] = self._classifier.parts("")
            return state
        state = {key: state[key] for key in state if key not in self._from_model}
        return state | {"_model": self._bytes()}

    def __setstate__(self, state):
        state = dict(state)
        model, parts = state.pop("_model", None), state.pop("_parts", None)
        super().__setstate__(state)
        if model is not None:
            found = _core.read_model(model)
            parts = found["fitted"] if parts is None else parts
            self._take_samples(found)
        if "_training" in vars(self):
            self._prepare(parts)
