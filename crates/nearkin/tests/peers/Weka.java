import java.io.FileReader;
import java.util.Arrays;
import weka.attributeSelection.ReliefFAttributeEval;
import weka.core.Instances;

/** Print ReliefFAttributeEval's weights in full: arguments are an ARFF file and Weka's options. */
public class Weka {
    public static void main(String[] words) throws Exception {
        Instances data = new Instances(new FileReader(words[0]));
        data.setClassIndex(data.numAttributes() - 1);
        ReliefFAttributeEval relief = new ReliefFAttributeEval();
        relief.setOptions(Arrays.copyOfRange(words, 1, words.length));
        relief.buildEvaluator(data);
        for (int i = 0; i < data.classIndex(); i++) {
            System.out.println(data.attribute(i).name() + "," + relief.evaluateAttribute(i));
        }
    }
}
